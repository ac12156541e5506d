/** Progress outside of a component. */
export function report(_done: number, _total: number | null, _message: string | null): void {}
