import { InvalidArgumentError } from 'commander'

/** Parses a command's argument that is a count: 1, 2 and so on. */
export function positiveInteger(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.')
  return Number(text)
}
