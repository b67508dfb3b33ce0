import { InvalidArgumentError } from 'commander'

/** The largest integer of a column in PostgreSQL. */
const max = 2 ** 31 - 1

/** Parses a command's argument that is a count: 1, 2 and so on, up to 2,147,483,647. */
export function positiveInteger(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.')
  if (Number(text) > max) throw new InvalidArgumentError(`It must be at most ${max}.`)
  return Number(text)
}
