/** The log outside of a component. */
declare const process: { readonly stderr: { write(text: string): void } };

export function write(level: string, logger: string | null, message: string): void {
  process.stderr.write(`${level}: ${logger === null ? "" : `${logger}: `}${message}\n`);
}
