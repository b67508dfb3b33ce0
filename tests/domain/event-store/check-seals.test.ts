import { expect, it } from '@jest/globals'
import { sealKeysOf } from '#services/event-store/audit/audit-keys'
import { checkSeals } from '#services/event-store/audit/check-seals'
import { hashOfSeal, signSeal, type Seal } from '#services/event-store/audit/seal'

const keys = sealKeysOf(Buffer.alloc(32, 1))
const root = '0'.repeat(64)

/** A genuine seal over `events` events. */
function sealOf(sequence: number, events: number, before: Seal | null): Seal {
  const heads = { count: 1, root }
  const previousSeal = before === null ? null : hashOfSeal(before)
  const place = { log: 'log', position: String(events), sealedAt: '2026-03-01T00:00:00.000Z' }
  return signSeal({ sequence, events, heads, changed: heads, previousSeal, ...place }, keys)
}

function check(...counts: readonly number[]) {
  const seals: Seal[] = []
  for (const events of counts) seals.push(sealOf(seals.length + 1, events, seals.at(-1) ?? null))
  const stored = seals.map((seal) => ({ sequence: seal.sequence, seal }))
  return checkSeals([{ name: 'the database', seals: stored }], keys)
}

it('accepts seals that cover as many events as the seal before them, or more', () => {
  expect(check(0, 5, 5, 9)).toMatchObject({ problems: [], seals: { length: 4 } })
})

it('names a genuine seal that covers fewer events than the seal before it, and trusts no later one', () => {
  const { problems, seals } = check(5, 9, 8, 12)
  expect(seals).toHaveLength(2)
  expect(problems).toEqual([
    {
      kind: 'forged-seal',
      sequence: 3,
      text: 'The seal covers 8 events, and the seal before it 9: a log only grows, so the owner of AUDIT_KEY signed another history.',
    },
  ])
})
