import { readFile } from 'node:fs/promises'
import { expect, it } from '@jest/globals'

it('the image has only the files that .dockerignore lists, and no Git data', async () => {
  const lines = (await readFile('.dockerignore', 'utf8'))
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  expect(lines[0]).toBe('*')
  expect(lines.slice(1).filter((line) => !line.startsWith('!'))).toEqual([])
  expect(lines.filter((line) => line.includes('.git'))).toEqual([])
})
