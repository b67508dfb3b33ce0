import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { dunningDays } from '#contracts/dunning'
import {
  sampleNotifications,
  sampleTexts,
} from '../../../scripts/mail-gallery/sample-notifications.ts'

describe('the samples of the mail gallery', () => {
  it('have unique ids that can be file names', () => {
    const ids = [...sampleNotifications, ...sampleTexts].map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[a-z0-9-]+$/)
  })

  it('have every kind of mail', () => {
    const source = readFileSync('services/notifications/template-of.ts', 'utf8')
    const kinds = [...source.matchAll(/case '([^']+)':/g)].map(([, kind]) => kind)
    const sampled = new Set<string | undefined>(
      sampleNotifications.map(({ message }) => message.kind),
    )
    expect(kinds).toContain('welcome')
    expect(kinds.filter((kind) => !sampled.has(kind))).toEqual([])
  })

  it('have a failed payment of every dunning day, as mail and as text', () => {
    const daysOf = (samples: readonly { readonly message: object }[]) =>
      samples.flatMap(({ message }) => ('day' in message ? [message.day] : []))
    expect([...new Set(daysOf(sampleNotifications))]).toEqual([...dunningDays])
    expect(daysOf(sampleTexts)).toEqual([...dunningDays])
  })
})
