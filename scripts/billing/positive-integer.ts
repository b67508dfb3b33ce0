import { InvalidArgumentError } from 'commander'

/** An argument that counts something: 1, 2 and so on. */
export function positiveInteger(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('It is a whole number from 1.')
  return Number(text)
}
