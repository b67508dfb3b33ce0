import { expect, it } from '@jest/globals'
import { atOnce } from '#services/foundation/at-once'

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

it('what is begun at once has its results in order', async () => {
  const slow = async () => {
    await turn()
    return 'slow'
  }
  expect(await atOnce(slow, async () => 7)).toEqual(['slow', 7])
})

it('a failure waits for the others, and the first one counts', async () => {
  const ended: string[] = []
  const failed = atOnce(
    async () => {
      await turn()
      await turn()
      ended.push('others')
      throw new Error('a later failure')
    },
    () => {
      throw new Error('cannot be begun')
    },
    async () => {
      ended.push('begun after the failure')
    },
  )
  await expect(failed).rejects.toThrow('cannot be begun')
  expect(ended).toEqual(['begun after the failure', 'others'])
})
