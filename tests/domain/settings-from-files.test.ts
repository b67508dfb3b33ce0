import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartupError } from '#services/foundation/startup-error'
import { readConfig } from '#services/settings/read-config'
import { secretSettings, settingNames } from '#services/settings/settings'
import { withSettingsFromFiles } from '#services/settings/settings-from-files'

describe('a setting that names the file of a secret', () => {
  let directory: string
  const file = (name: string, content: string) => {
    const path = join(directory, name)
    writeFileSync(path, content)
    return path
  }

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'secrets-'))
  })
  afterEach(() => rmSync(directory, { recursive: true, force: true }))

  it('gives the content of the file without its last line break', () => {
    const env = withSettingsFromFiles({
      PORT: '1',
      MASTER_KEY_FILE: file('master_key', `${'ab'.repeat(32)}\n`),
    })
    expect(env).toMatchObject({ PORT: '1', MASTER_KEY: 'ab'.repeat(32) })
  })

  it.each(secretSettings)('exists for %s', (name) => {
    expect(withSettingsFromFiles({ [`${name}_FILE`]: file('any', 'secret') })).toMatchObject({
      [name]: 'secret',
    })
  })

  it('exists for each setting whose name says that it is a secret', () => {
    const secrets = settingNames.filter((name) => /SECRET|PASSWORD|TOKEN|KEY/.test(name))
    const listed = new Set<string>([...secretSettings, 'STRIPE_PUBLISHABLE_KEY'])
    expect(secrets.filter((name) => !listed.has(name))).toEqual([])
  })

  it('does not exist for a setting that is no secret', () => {
    expect(withSettingsFromFiles({ PORT_FILE: '/nowhere' })).toEqual({ PORT_FILE: '/nowhere' })
  })

  it('does not change the environment of this process, which child processes inherit', () => {
    const env = { SESSION_SECRET_FILE: file('session_secret', 'secret') }
    withSettingsFromFiles(env)
    expect(Object.keys(env)).toEqual(['SESSION_SECRET_FILE'])
  })

  it('is refused if the setting itself is set, too', () => {
    const env = { SMTP_URL: 'smtp://a', SMTP_URL_FILE: file('smtp_url', 'smtp://b') }
    expect(() => withSettingsFromFiles(env)).toThrow(StartupError)
    expect(() => withSettingsFromFiles(env)).toThrow(
      /^SMTP_URL and SMTP_URL_FILE are both set\. Remove one of them\.$/,
    )
  })

  it('is used if the setting is empty, and ignored if it is empty itself, because compose files pass empty values', () => {
    const path = file('smtp_url', 'smtp://mail:25')
    expect(withSettingsFromFiles({ SMTP_URL: '', SMTP_URL_FILE: path }).SMTP_URL).toBe(
      'smtp://mail:25',
    )
    expect(withSettingsFromFiles({ SMTP_URL: 'smtp://mail:25', SMTP_URL_FILE: '' }).SMTP_URL).toBe(
      'smtp://mail:25',
    )
  })

  it('stops the start with a sentence that names the file, if the file is missing, a directory or empty', () => {
    mkdirSync(join(directory, 'audit_key'))
    expect(() => withSettingsFromFiles({ AUDIT_KEY_FILE: join(directory, 'gone') })).toThrow(
      /AUDIT_KEY_FILE is .*gone\. This file cannot be read \(ENOENT\)\. Write/,
    )
    expect(() => withSettingsFromFiles({ AUDIT_KEY_FILE: join(directory, 'audit_key') })).toThrow(
      /cannot be read \(EISDIR\)/,
    )
    expect(() => withSettingsFromFiles({ AUDIT_KEY_FILE: file('empty', '\n') })).toThrow(
      /AUDIT_KEY_FILE is .*empty\. This file is empty/,
    )
  })

  it('is checked by the rule of the setting', () => {
    expect(() =>
      readConfig(withSettingsFromFiles({ MASTER_KEY_FILE: file('master_key', 'short') })),
    ).toThrow(/MASTER_KEY must be 64 hexadecimal digits/)
  })
})
