import { expect, it } from '@jest/globals'
import { z } from 'zod'
import { issuesInALine } from '#services/event-store/issues-in-a-line'

const wide = z.object({ a: z.string(), b: z.string(), c: z.object({ d: z.int() }), e: z.string() })

it('what a contract refuses is one line with the first three fields', () => {
  const { error } = wide.safeParse({ c: {} })
  expect(error && issuesInALine(error)).toMatch(
    /^a: Invalid input[^\n;]*; b: Invalid input[^\n;]*; c\.d: Invalid input[^\n;]*; and 1 more\.$/,
  )
})

it('a value that is no object is one line without a field', () => {
  const { error } = wide.safeParse(null)
  expect(error && issuesInALine(error)).toMatch(/^Invalid input[^\n;]*\.$/)
})
