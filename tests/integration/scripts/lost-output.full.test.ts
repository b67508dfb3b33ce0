import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { expect, it } from '@jest/globals'
import { createTestDatabase } from '../../support/postgres/database.ts'

const onLinux = process.platform === 'linux'

;(onLinux ? it : it.skip)(
  'a command whose output goes to a full disk says so in one sentence (only where /dev/full is)',
  async () => {
    const database = await createTestDatabase()
    const full = await open('/dev/full', 'w')
    const { PATH, HOME } = process.env
    const child = spawn(process.execPath, ['scripts/billing.mjs', 'projections', 'status'], {
      env: { PATH, HOME, DATABASE_URL: database.connectionString },
      stdio: ['ignore', full.fd, 'pipe'],
    })
    const printed = child.stderr === null ? '' : text(child.stderr)
    const closed = once(child, 'close')
    const stderr = await printed
    const [code] = (await closed) as [number | null]
    await full.close()
    await database.drop()
    expect([code, stderr]).toEqual([
      1,
      'The output could not be written (ENOSPC) and is incomplete.\n',
    ])
  },
)
