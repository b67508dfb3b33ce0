import { expect, it } from '@jest/globals'
import { inGroups } from '#services/foundation/in-groups'

function asked(options: { readonly maxKeys: number; readonly atOnce: number }) {
  const groups: (readonly number[])[] = []
  const answers: (() => void)[] = []
  const ask = inGroups<number, number>({
    ...options,
    answer: async (keys) => {
      groups.push(keys)
      await new Promise<void>((resolve) => answers.push(resolve))
      return keys.map((key) => key * 10)
    },
  })
  return { ask, groups, answerNext: () => answers.shift()?.() }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

it('questions of one turn are one group, and each gets its own answer', async () => {
  const { ask, groups, answerNext } = asked({ maxKeys: 10, atOnce: 1 })
  const all = [1, 2, 3].map(ask)
  await turn()
  expect(groups).toEqual([[1, 2, 3]])
  answerNext()
  expect(await Promise.all(all)).toEqual([10, 20, 30])
})

it('questions wait while enough groups are in progress, and a group has at most so many', async () => {
  const { ask, groups, answerNext } = asked({ maxKeys: 2, atOnce: 2 })
  const all = [1, 2, 3, 4, 5].map(ask)
  await turn()
  await turn()
  expect(groups).toEqual([
    [1, 2],
    [3, 4],
  ])
  const sixth = ask(6)
  answerNext()
  await turn()
  await turn()
  expect(groups[2]).toEqual([5, 6])
  answerNext()
  answerNext()
  expect(await Promise.all([...all, sixth])).toEqual([10, 20, 30, 40, 50, 60])
})

it('a failed call fails its own group only', async () => {
  let calls = 0
  const ask = inGroups<number, number>({
    maxKeys: 2,
    atOnce: 1,
    answer: async (keys) => {
      calls += 1
      if (calls === 1) throw new Error('away')
      return keys
    },
  })
  const outcomes = await Promise.allSettled([1, 2, 3].map(ask))
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
})

it('refuses a call that does not answer each question', async () => {
  const ask = inGroups<number, number>({ maxKeys: 2, atOnce: 1, answer: async () => [] })
  await expect(ask(1)).rejects.toThrow('1 questions got 0 answers')
})
