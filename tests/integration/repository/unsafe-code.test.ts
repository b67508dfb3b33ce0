import { readFile } from 'node:fs/promises'
import { expect, it } from '@jest/globals'
import { linesWith } from './source-lines.ts'

const product = ['contracts', 'projections', 'services', 'web']

it.each([
  [
    'renders HTML from text',
    /dangerouslySetInnerHTML|\.(inner|outer)HTML|insertAdjacentHTML|document\.write/,
  ],
  ['evaluates text as code', /\beval\(|new Function\(|node:vm/],
  [
    'starts a shell',
    /\bexec(Sync)?\('|import \{[^}]*\bexec(Sync)?\b[^}]*\} from 'node:child_process'|shell: *true/,
  ],
  [
    'uses a hash or a cipher that is not approved',
    /'(md5|sha1|sha-1|rc4)'|'(aes|des)[\w-]*-(ecb|cbc)'|\bSubtleCrypto\b/i,
  ],
  ['makes a random value that can be predicted', /Math\.random\(/],
])('no line of the product %s', async (_what, pattern) => {
  const lines = await linesWith(pattern, product)
  expect(lines.filter((line) => !line.startsWith('services/sandbox/'))).toEqual([])
})

it('the image has only the files that .dockerignore lists, and no Git data', async () => {
  const lines = (await readFile('.dockerignore', 'utf8'))
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  expect(lines[0]).toBe('*')
  expect(lines.slice(1).filter((line) => !line.startsWith('!'))).toEqual([])
  expect(lines.filter((line) => line.includes('.git'))).toEqual([])
})
