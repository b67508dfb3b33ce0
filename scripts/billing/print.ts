import { printableLines } from '#services/foundation/printable'

/** Prints a text for people: an owner of the database can have changed the stored names in it. */
export function print(text: string): void {
  process.stdout.write(printableLines(text))
}

/** Prints a value in one line, for programs. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`)
}
