import { readFile } from 'node:fs/promises'
import { describe, expect, it } from '@jest/globals'

/** An auditor reads the script and runs it without the product. */
describe('scripts/verify-audit-room.mjs', () => {
  it('imports only modules of Node', async () => {
    const text = await readFile('scripts/verify-audit-room.mjs', 'utf8')
    const imported = [...text.matchAll(/^import [^']*'(.*)'$/gm)].map(([, name]) => name)
    expect(imported.length).toBeGreaterThan(0)
    expect(imported.filter((name) => !name?.startsWith('node:'))).toEqual([])
    expect(text).not.toMatch(
      /\bimport\s*\(|\brequire\b|node:(child_process|https?|module|net|vm)\b/,
    )
  })

  it('has fewer than 500 lines', async () => {
    const text = await readFile('scripts/verify-audit-room.mjs', 'utf8')
    expect(text.split('\n').length - 1).toBeLessThan(500)
  })
})
