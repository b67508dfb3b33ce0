/** The random values of a simulation. The same seed gives the same values. */
export interface Random {
  /** From 0 to below 1. */
  next(): number
  chance(probability: number): boolean
  between(from: number, to: number): number
  pick<Item>(items: readonly Item[]): Item
  uuid(): string
}

export function createRandom(next: () => number): Random {
  const hex = (digits: number) =>
    Math.floor(next() * 16 ** digits)
      .toString(16)
      .padStart(digits, '0')
  return {
    next,
    chance: (probability) => next() < probability,
    between: (from, to) => from + next() * (to - from),
    pick(items) {
      const item = items[Math.floor(next() * items.length)]
      if (item === undefined) throw new Error('The list to pick from is empty.')
      return item
    },
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(6)}${hex(6)}`,
  }
}
