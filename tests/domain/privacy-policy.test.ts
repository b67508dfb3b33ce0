import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { pino } from 'pino'
import { brand } from '#contracts/brand/brand'
import { privacyPolicy } from '#contracts/brand/privacy-policy'
import { codeRules } from '#services/accounts/sign-in-code'
import { createSessions } from '#services/http/sessions/sessions'
import { sessionLimits } from '#services/http/sessions/session-tables'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

const textOf = (id: string) =>
  privacyPolicy.topics
    .find((topic) => topic.id === id)
    ?.blocks.flat()
    .join('\n') ?? ''

const hour = 3_600_000

describe('the privacy policy', () => {
  it('covers every topic of the specification', () => {
    const ids = privacyPolicy.topics.map(({ id }) => id)
    expect(ids).toEqual([
      'data-collected',
      'cookies',
      'use',
      'sharing',
      'retention',
      'transfer',
      'deletion',
      'security',
      'children',
      'links',
      'changes',
      'contact',
    ])
    for (const id of ids) expect([id, textOf(id).length > 150]).toEqual([id, true])
    expect(privacyPolicy.lastUpdated).toBe('May 16, 2025')
    expect(textOf('children')).toContain('does not address children under 13')
    expect(textOf('contact')).toContain(brand.supportEmail)
    expect(textOf('contact')).toContain(brand.address.join(', '))
  })

  it('names the cookies of the product and how long they hold', () => {
    const sessions = createSessions({
      pool: new pg.Pool(),
      secrets: ['s'.repeat(32)],
      isHttps: true,
      port: 443,
      clock: { now: () => new Date() },
      passwordMark: 'mark',
      comparePositions: () => 0,
      log: pino({ level: 'silent' }),
    })
    sessions.close()
    const { customer, admin } = sessionLimits
    expect(textOf('cookies')).toContain(
      `${sessions.cookieNames.customer}: your session as a customer. It ends ${customer.idleMs / hour} hours after your last request, and ${customer.longestMs / (24 * hour)} days after`,
    )
    expect(textOf('cookies')).toContain(
      `${sessions.cookieNames.admin}: the session of an administrator. It ends after ${admin.idleMs / 60_000} minutes without a request, and after ${admin.longestMs / hour} hours`,
    )
    expect(textOf('cookies').match(/__Host-/g)).toHaveLength(2)
  })

  it('names every value that the pages store in the browser', () => {
    const keys = /type StoredKey =((?:\s*\| '\w+')+)/.exec(read('web/lib/stored-values.ts'))?.[1]
    const note = /noteKey = '(\w+)'/.exec(read('web/lib/portal-visit.ts'))?.[1]
    const stored = [...(keys?.matchAll(/'(\w+)'/g) ?? [])].map(([, key = '']) => key)
    expect(stored.length).toBeGreaterThan(5)
    const choices = 'features/receivables/import/page/choices-storage.ts'
    const columns = /prefix = '(\w+):'/.exec(read(`web/${choices}`))?.[1]
    for (const key of [...stored, note, columns])
      expect(textOf('cookies')).toMatch(new RegExp(`\\b${key}\\b`))

    // prerender/head.ts only reads userEmail.
    const stores = /\b(?:localStorage|sessionStorage|indexedDB|document\.cookie)\b/
    const files = readdirSync(join(root, 'web'), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && stores.test(read(`web/${file}`)))
      .sort()
    expect(files).toEqual([
      choices,
      'lib/portal-visit.ts',
      'lib/stored-values.ts',
      'prerender/head.ts',
    ])
  })

  it('states the periods of the product', () => {
    const days = (file: string, name: string) =>
      Number(new RegExp(`${name} = (\\d+) \\*`).exec(read(file))?.[1])
    const unverified = days('services/accounts/erase-unverified.ts', 'unverifiedLifetimeMs')
    const listedDays = days('services/billing/webhooks/webhook-log.ts', 'keptMs')
    expect(textOf('retention')).toContain(`is erased ${unverified} days after it was opened`)
    expect(textOf('retention')).toContain(`listed for ${listedDays} days, without their content`)
    expect(textOf('retention')).toContain(`valid for ${codeRules.lifetimeMs / 60_000} minutes`)
  })

  it('names the controls of the profile page', () => {
    const controls = read('web/features/profile/your-data.tsx')
    for (const control of ['Download my data', 'Delete account']) {
      expect(controls).toContain(control)
      expect(textOf('deletion')).toContain(`${control}: `)
    }
  })
})
