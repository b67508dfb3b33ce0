import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { dunningDays } from '#contracts/dunning'
import {
  sampleNotifications,
  sampleTexts,
} from '../../../scripts/mail-gallery/sample-notifications.ts'

/** Every kind of mail that has a template. */
const kinds = [
  ...readFileSync('services/notifications/template-of.ts', 'utf8').matchAll(/case '([^']+)':/g),
].map(([, kind]) => kind)

it('every kind of mail is sent after an event', () => {
  const directory = 'services/notifications'
  const planned = readdirSync(directory)
    .filter((name) => name.endsWith('-mails.ts'))
    .map((name) => readFileSync(join(directory, name), 'utf8'))
    .join('\n')
  expect(kinds).toContain('welcome')
  expect(kinds.filter((kind) => !planned.includes(`'${kind}'`))).toEqual([])
})

describe('the samples of the mail gallery', () => {
  it('have unique ids that can be file names', () => {
    const ids = [...sampleNotifications, ...sampleTexts].map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[a-z0-9-]+$/)
  })

  it('have every kind of mail', () => {
    const sampled = new Set<string | undefined>(
      sampleNotifications.map(({ message }) => message.kind),
    )
    expect(kinds.filter((kind) => !sampled.has(kind))).toEqual([])
  })

  it('have a failed payment of every dunning day, as mail and as text', () => {
    const daysOf = (samples: readonly { readonly message: object }[]) =>
      samples.flatMap(({ message }) => ('day' in message ? [message.day] : []))
    expect([...new Set(daysOf(sampleNotifications))]).toEqual([...dunningDays])
    expect(daysOf(sampleTexts)).toEqual([...dunningDays])
  })
})
