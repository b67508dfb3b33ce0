import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import pino from 'pino'
import { inlineSources } from '#services/http/inline-sources'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { serveArea } from '../../support/product/area-server.ts'

const hashed = (content: string) =>
  `'sha256-${createHash('sha256').update(content).digest('base64')}'`

it('the policy allows the inline scripts and styles of every built page, and no other source', async () => {
  const directory = await temporaryDirectory()
  await mkdir(join(directory.path, 'pricing'))
  await writeFile(
    join(directory.path, 'index.html'),
    `<!doctype html><script>one()</script>
<SCRIPT type="module">\r\n  two()\r\n</SCRIPT>
<script type="module" crossorigin src="/assets/app.js"></script>
<script type="application/ld+json">{"@type":"Product"}</script>
<script type="application/json">{}</script>
<style>a{color:red}</style><link rel="stylesheet" href="/assets/app.css">`,
  )
  await writeFile(join(directory.path, 'pricing/index.html'), '<script>one()</script>')
  await writeFile(join(directory.path, 'app.js'), '"<script>three()</script>"')
  const sources = inlineSources(directory.path)
  await directory.remove()
  expect(sources).toEqual({
    scripts: [hashed('one()'), hashed('\n  two()\n')].sort(),
    styles: [hashed('a{color:red}')],
  })

  const server = await serveArea(() => undefined, pino({ level: 'silent' }), { inline: sources })
  const policy = (await fetch(`${server.url}/healthz`)).headers.get('content-security-policy') ?? ''
  await server.close()
  expect(policy.split(';')).toEqual(
    expect.arrayContaining([
      `script-src 'self' ${sources.scripts.join(' ')}`,
      `style-src 'self' ${sources.styles.join(' ')}`,
    ]),
  )
})
