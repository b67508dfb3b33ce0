import { beforeAll, describe, expect, it } from '@jest/globals'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { z } from 'zod'

const webRoot = join(import.meta.dirname, '../../../dist/web')

const manifestSchema = z.record(
  z.string(),
  z.object({
    file: z.string(),
    css: z.array(z.string()).default([]),
    imports: z.array(z.string()).default([]),
  }),
)
const sourceMapSchema = z.object({ sources: z.array(z.string()) })

let manifest: z.output<typeof manifestSchema>

beforeAll(() => {
  const path = join(webRoot, '.vite/manifest.json')
  if (!existsSync(path)) throw new Error(`${path} is missing: run npm run build first.`)
  manifest = manifestSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
})

/**
 * The scripts that a browser must load before it can draw these pages. Follows the static imports.
 */
function scriptsOf(...pages: string[]): string[] {
  const chunks = new Set<string>()
  const visit = (key: string) => {
    if (chunks.has(key)) return
    const chunk = manifest[key]
    if (!chunk)
      throw new Error(`The manifest has no '${key}'. It has: ${Object.keys(manifest).join(', ')}`)
    chunks.add(key)
    chunk.imports.forEach(visit)
  }
  pages.forEach(visit)
  return [...chunks].map((key) => manifest[key]!.file)
}

const read = (file: string) => readFileSync(join(webRoot, file))
const gzippedKilobytes = (files: string[]) =>
  files.reduce((sum, file) => sum + gzipSync(read(file)).length, 0) / 1000

/**
 * The packages whose code is in these scripts, according to their source maps. The bundler's
 * runtime and its loader of chunks have no source map.
 */
function packagesIn(files: string[]): Set<string> {
  const mapped = files.filter((file) => !/\/(rolldown-runtime|preload-helper)-/.test(file))
  const sources = mapped.flatMap(
    (file) => sourceMapSchema.parse(JSON.parse(read(`${file}.map`).toString('utf8'))).sources,
  )
  return new Set(
    sources.flatMap((source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? []),
  )
}

const landing = () => scriptsOf('index.html')

describe('the audit pages', () => {
  it.each(['user-history', 'activity', 'total-events'])('of %s load no antd', (name) => {
    const page = `features/admin/history/${name}-page.tsx`
    const scripts = scriptsOf('index.html', 'app/admin-layout.tsx', page)
    expect(packagesIn(scripts)).not.toContain('antd')
    // The console with antd has over 350 kB.
    expect(gzippedKilobytes(scripts)).toBeLessThan(210)
  })
})

describe('the dashboard of the console', () => {
  it.each(['tree', 'form', 'async-validator', 'checkbox'])(
    'loads no %s of antd, which no screen has',
    (part) => {
      const scripts = scriptsOf('app/admin-layout.tsx', 'features/admin/admin-page.tsx')
      expect(packagesIn(scripts)).toContain('antd')
      expect(packagesIn(scripts)).not.toContain(`@rc-component/${part}`)
    },
  )
})

describe('the page of a receipt', () => {
  it('loads no antd', () => {
    const scripts = scriptsOf('index.html', 'app/product-layout.tsx', 'app/receipt-route.tsx')
    expect(packagesIn(scripts)).not.toContain('antd')
  })
})

describe('the login dialog', () => {
  it('is a separate file without antd', () => {
    const dialog = scriptsOf('features/auth/login-dialog.tsx')
    expect(landing()).not.toContain(manifest['features/auth/login-dialog.tsx']?.file)
    expect(packagesIn(dialog)).toContain('zod')
    expect(packagesIn(dialog)).not.toContain('antd')
  })
})

describe('the HTML that the server sends', () => {
  it.each(readdirSync(webRoot).filter((file) => file.endsWith('.html')))(
    'of %s has no style attributes and no event handlers, which the security policy forbids',
    (file) => {
      expect(read(file).toString('utf8')).not.toMatch(/<[^>]+\s(style|on\w+)=/)
    },
  )

  it('preloads the font file that the style sheet uses', () => {
    const font = /<link rel="preload" href="\/(assets\/instrument-sans-[^"]+\.woff2)"/.exec(
      read('index.html').toString('utf8'),
    )?.[1]
    expect(font).toBeDefined()
    const styles = (manifest['index.html']?.css ?? [])
      .map((file) => read(file).toString('utf8'))
      .join('')
    expect(styles).toContain(font)
  })
})
