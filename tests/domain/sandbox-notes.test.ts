import { describe, expect, it } from '@jest/globals'
import { readConfig } from '#services/settings/read-config'
import { inboxUrl } from '#services/settings/inbox-url'
import { sandboxNotes } from '#services/sandbox-process/sandbox-notes'
import { realSettings, sharedSecrets } from '../support/data/real-settings.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'

const at = (instant: string) => ({ now: () => new Date(instant) })
const realClock = at('2026-11-26T09:00:00.000Z')
const fresh = { clock: realClock, realClock, isFilled: false }

async function configOf(settings: Readonly<Record<string, string>>) {
  const directory = await temporaryDirectory()
  const config = readConfig({ DATA_DIR: directory.path, ...settings })
  await directory.remove()
  return config
}
const sandboxed = { ...(await configOf({})), dataDir: '.data' }
const real = await configOf(realSettings)

describe('a start with the sandbox', () => {
  it('prints how to fill an empty product, with the settings that differ from the defaults', () => {
    expect(sandboxNotes(sandboxed, fresh).at(-1)).toBe('    npm run billing -- demo')
    const other = { ...sandboxed, dataDir: '.data-2', port: 4_000 }
    expect(sandboxNotes(other, fresh).at(-1)).toBe(
      '    DATA_DIR=.data-2 PORT=4000 npm run billing -- demo',
    )
  })

  it('prints nothing more once there are customers', () => {
    expect(sandboxNotes(sandboxed, { ...fresh, isFilled: true })).toEqual([])
  })

  it('prints the day of a clock that is ahead', () => {
    const clock = at('2028-01-28T15:00:00.000Z')
    expect(sandboxNotes(sandboxed, { ...fresh, clock, isFilled: true })).toEqual([
      '  Sandbox clock       2028-01-28, 428 days ahead. Dates in the product follow it.',
    ])
  })
})

describe('a start that the demo would refuse', () => {
  it('prints nothing about the demo or the clock with real keys', () => {
    const clock = at('2028-01-28T15:00:00.000Z')
    expect(sandboxNotes(real, { ...fresh, clock })).toEqual([])
  })

  it('prints nothing about the demo with a real mail server or a shared sandbox', async () => {
    const mail = await configOf({ SMTP_URL: 'smtp://127.0.0.1:25' })
    expect(sandboxNotes(mail, fresh)).toEqual([])
    const shared = await configOf({
      ...sharedSecrets,
      SANDBOX_URL: 'http://127.0.0.1:9',
      SMTP_URL: 'smtp://127.0.0.1:25',
    })
    expect(sandboxNotes(shared, fresh)).toEqual([])
  })
})

describe('the inbox that the pages link to', () => {
  it('is at the host of the product, and nowhere if a real mail server has the mails', async () => {
    expect(inboxUrl(sandboxed)).toBe('http://localhost:3001/inbox')
    const named = await configOf({
      PUBLIC_URL: 'http://mybox.lan:3000',
      ALLOW_SANDBOX: '1',
      SANDBOX_PORT: '4001',
    })
    expect(inboxUrl(named)).toBe('http://mybox.lan:4001/inbox')
    expect(inboxUrl(real)).toBeNull()
    expect(inboxUrl(await configOf({ SMTP_URL: 'smtp://127.0.0.1:25' }))).toBeNull()
  })
})
