import { readFile } from 'node:fs/promises'
import { expect, it } from '@jest/globals'
import { adminRoles, mayDo } from '#contracts/admin/roles'
import { declaredEndpoints, nameOf } from '../../support/product/declared-endpoints.ts'

/** A call of an administrator for each role, as the table of docs/security.md states it. */
it('docs/security.md states for every administrator call which roles may use it', async () => {
  const page = await readFile('docs/security.md', 'utf8')
  const section = page.slice(
    page.indexOf('\n## Administrators'),
    page.indexOf('\n## E-mail addresses'),
  )
  const written = section
    .split('\n')
    .filter((line) => /^\| `(GET|POST|PATCH) /.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, call, ...cells]) => [call, ...cells.slice(0, adminRoles.length)].join(' | '))
  const declared = (await declaredEndpoints()).flatMap((endpoint) => {
    const { right } = endpoint
    if (right === undefined) return []
    const cells = adminRoles.map((role) => (mayDo(role, right) ? 'yes' : 'no'))
    return [['`' + nameOf(endpoint) + '`', ...cells].join(' | ')]
  })
  expect(written.toSorted()).toEqual(declared.toSorted())
})
