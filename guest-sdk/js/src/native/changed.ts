/** Announcements outside of a component. */
export function toolList(): void {}
export function resourceList(): void {}
export function promptList(): void {}
export function resourceContents(_uri: string): void {}
