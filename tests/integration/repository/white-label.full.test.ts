import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, rm } from 'node:fs/promises'
import { extname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { brand } from '#contracts/brand/brand'
import { featureLabels } from '#contracts/brand/plan-catalogue'
import { siteContent } from '#contracts/brand/site-content'
import { escapeMarkup } from '#contracts/escape-markup'
import { fileOfPage, publicPaths, shellFile } from '#contracts/pages'
import { brand as other } from '../../support/brand/brand.ts'

// Inside the repository, so that the built module finds its packages.
const directory = resolve(`.cache/white-label-${process.pid}`)
const web = join(directory, 'web')
const run = (...args: string[]) =>
  promisify(execFile)(process.execPath, args, { env: { ...process.env, NODE_ENV: 'production' } })

beforeAll(async () => {
  await mkdir(join(web, '.vite'), { recursive: true })
  await cp('web/index.html', join(web, 'index.html'))
  await cp('dist/web/.vite/manifest.json', join(web, '.vite/manifest.json'))
  // The pages contain the styles of their chunks.
  await cp('dist/web/assets', join(web, 'assets'), {
    recursive: true,
    filter: (path) => extname(path) === '' || path.endsWith('.css'),
  })
  const config = 'tests/support/brand/vite.config.ts'
  const built = join(directory, 'documents')
  const options = ['--config', config, '--outDir', built, '--ssr', 'prerender/documents.ts']
  await run('node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn', ...options)
  await run('scripts/build/write-pages.mjs', web, join(built, 'documents.js'))
}, 120_000)
afterAll(() => rm(directory, { recursive: true, force: true }))

/** The names of the plan's features, which the pages of both brands show. */
const labels = new Set(featureLabels.map(({ label }) => label))

/** Texts that are long enough not to be in the page by chance. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.length >= 20 && !labels.has(value) ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

const { claims } = siteContent
const firstBrand = [
  brand.name,
  brand.supportEmail,
  brand.senderEmail,
  brand.social.url,
  `${claims.years} years`,
  `${claims.fewerFollowUps}%`,
  `${claims.reviews} reviews`,
  `>${claims.rating}<`,
  ...textsIn(siteContent),
]

it.each([...publicPaths.map(fileOfPage), shellFile])(
  '%s of another brand has nothing of the first brand: no name, address, claim or text',
  async (file) => {
    const page = await readFile(join(web, file), 'utf8')
    const html = page.replaceAll(/<style.*?<\/style>/gs, '')
    expect(html).toContain(other.name)
    const traces = firstBrand.filter(
      (text) => html.includes(text) || html.includes(escapeMarkup(text)),
    )
    expect(traces).toEqual([])
  },
)
