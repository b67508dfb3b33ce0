import { expectMoneyAgrees } from './money.ts'
import type { Customer } from './customer.ts'
import type { World } from './world.ts'

/** The days of all stories, in their order. The clock moves once from each day to the next. */
export const days = [
  'on the first day',
  'in the middle of the first month',
  'on the first day of the second month',
  'after the first retry',
  'after half a year',
] as const
export type Day = (typeof days)[number]

type Cast = Readonly<Record<string, Customer>>

/** What a story proves on one day, as a fact in the present tense. */
interface Chapter<Played> {
  readonly day: Day
  readonly fact: string
  readonly tell: (cast: Played) => Promise<void>
}

export interface Story {
  /** Signs up the customers of the story, who buy on the first day. */
  begin(world: World): Promise<readonly Customer[]>
  readonly chapters: readonly {
    readonly day: Day
    readonly fact: string
    /** Tells the chapter, then compares the money of the story's customers. */
    tell(): Promise<void>
  }[]
}

export function story<Played extends Cast>(
  cast: (world: World) => Promise<Played>,
  chapters: readonly Chapter<Played>[],
): Story {
  let played: Played | null = null
  return {
    async begin(world) {
      played = await cast(world)
      return Object.values(played)
    },
    chapters: chapters.map(({ day, fact, tell }) => ({
      day,
      fact,
      async tell() {
        if (played === null) throw new Error('The story has not begun.')
        await tell(played)
        for (const customer of Object.values(played)) await expectMoneyAgrees(customer)
      },
    })),
  }
}
