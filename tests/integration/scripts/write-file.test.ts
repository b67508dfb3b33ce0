import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { writeFileAtomically } from '../../../scripts/billing/write-file.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'

let directory: Awaited<ReturnType<typeof temporaryDirectory>>
let file: string
beforeEach(async () => {
  directory = await temporaryDirectory()
  file = join(directory.path, 'log.ndjson')
})
afterEach(() => directory.remove())

async function* pieces(
  meanwhile: () => Promise<void> = () => Promise.resolve(),
): AsyncGenerator<string> {
  yield 'first\n'
  await meanwhile()
  yield 'second\n'
}
const names = () => readdir(directory.path)

describe('a file that a command writes for the operator', () => {
  it.each(['log.ndjson', 'log.ndjson.gz'])(
    'can be read by its owner only, and its size and checksum are reported: %s',
    async (name) => {
      const path = join(directory.path, name)
      const written = await writeFileAtomically(path, pieces())
      const bytes = await readFile(path)
      expect(written).toEqual({
        bytes: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      })
      expect((name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()).toBe('first\nsecond\n')
      expect([await names(), (await stat(path)).mode & 0o777]).toEqual([[name], 0o600])
    },
  )

  it('has its name only after it is complete', async () => {
    let during: readonly string[] = []
    await writeFileAtomically(
      file,
      pieces(async () => void (during = await names())),
    )
    expect(during).toEqual([expect.stringMatching(/^log\.ndjson\.[0-9a-f]{8}\.partial$/)])
  })

  it('does not replace an existing file without force, even one that appears during the write', async () => {
    await expect(
      writeFileAtomically(
        file,
        pieces(() => writeFile(file, 'of another process')),
      ),
    ).rejects.toThrow(`Another process created ${file} meanwhile, and it was not replaced.`)
    await expect(writeFileAtomically(file, pieces())).rejects.toThrow(`${file} already exists.`)
    expect([await readFile(file, 'utf8'), await names()]).toEqual([
      'of another process',
      ['log.ndjson'],
    ])
    await writeFileAtomically(file, pieces(), { force: true })
    expect(await readFile(file, 'utf8')).toBe('first\nsecond\n')
  })

  it('does not replace a folder or a link, even with force', async () => {
    await mkdir(join(directory.path, 'folder'))
    await symlink(join(directory.path, 'elsewhere'), file)
    for (const out of [join(directory.path, 'folder'), file]) {
      await expect(writeFileAtomically(out, pieces(), { force: true })).rejects.toThrow(
        `${out} is not a regular file, and was not replaced.`,
      )
    }
    expect(await names()).toEqual(['folder', 'log.ndjson'])
  })

  it('is removed if its source fails', async () => {
    await expect(
      writeFileAtomically(
        file,
        pieces(() => Promise.reject(new Error('the database is gone'))),
      ),
    ).rejects.toThrow('the database is gone')
    expect(await names()).toEqual([])
  })
})
