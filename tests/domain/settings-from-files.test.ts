import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartupError } from '#services/foundation/startup-error'
import { readConfig } from '#services/start/config'
import { secretSettings } from '#services/start/settings'
import { withSettingsFromFiles } from '#services/start/settings-from-files'

describe('a secret as a file', () => {
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

  it('is the setting, without the line end that an editor leaves', () => {
    const env = withSettingsFromFiles({
      PORT: '1',
      MASTER_KEY_FILE: file('master_key', `${'ab'.repeat(32)}\n`),
    })
    expect(env).toMatchObject({ PORT: '1', MASTER_KEY: 'ab'.repeat(32) })
  })

  it.each(secretSettings)('may be %s', (name) => {
    expect(withSettingsFromFiles({ [`${name}_FILE`]: file('any', 'secret') })).toMatchObject({
      [name]: 'secret',
    })
  })

  it('is told from a setting that is no secret', () => {
    expect(withSettingsFromFiles({ PORT_FILE: '/nowhere' })).toEqual({ PORT_FILE: '/nowhere' })
  })

  it('leaves the environment of this process, which children inherit, as it was', () => {
    const env = { SESSION_SECRET_FILE: file('session_secret', 'secret') }
    withSettingsFromFiles(env)
    expect(Object.keys(env)).toEqual(['SESSION_SECRET_FILE'])
  })

  it('beside the setting itself is refused, since only one can hold', () => {
    const env = { SMTP_URL: 'smtp://a', SMTP_URL_FILE: file('smtp_url', 'smtp://b') }
    expect(() => withSettingsFromFiles(env)).toThrow(StartupError)
    expect(() => withSettingsFromFiles(env)).toThrow(
      /^SMTP_URL and SMTP_URL_FILE are both set\. Remove one of them\.$/,
    )
  })

  it('does not count as set when either is empty, as compose files pass them', () => {
    const path = file('smtp_url', 'smtp://mail:25')
    expect(withSettingsFromFiles({ SMTP_URL: '', SMTP_URL_FILE: path }).SMTP_URL).toBe(
      'smtp://mail:25',
    )
    expect(withSettingsFromFiles({ SMTP_URL: 'smtp://mail:25', SMTP_URL_FILE: '' }).SMTP_URL).toBe(
      'smtp://mail:25',
    )
  })

  it('that is missing, a directory or empty stops the start with a sentence that names it', () => {
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

  it('is checked like any setting', () => {
    expect(() =>
      readConfig(withSettingsFromFiles({ MASTER_KEY_FILE: file('master_key', 'short') })),
    ).toThrow(/MASTER_KEY must be 64 hexadecimal digits/)
  })
})
