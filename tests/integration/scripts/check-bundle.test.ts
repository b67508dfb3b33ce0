import { expect, it } from '@jest/globals'
import { checkBundle } from '../../../scripts/bundle/bundle-problems.ts'
import { linkedFiles } from '../../../scripts/bundle/linked-files.ts'
import type { Build } from '../../../scripts/bundle/read-build.ts'

const html = `<script type="module" crossorigin src="/assets/index.js"></script>
<link rel="modulepreload" crossorigin href="/assets/react.js">
<link rel="stylesheet" crossorigin href="/assets/index.css">
<style data-file="/assets/tokens.css">a{}</style>
<picture><source type="image/avif" srcset="/assets/a-480.avif 480w, /assets/a-1280.avif 1280w, /assets/a-1920.avif 1920w"><img src="/assets/a.webp"></picture>
<img loading="lazy" src="/assets/below.webp">`

/** A build in which every file has 1 kB, apart from the given ones. */
function buildWith({
  bytes = {},
  modules = {},
}: {
  bytes?: Readonly<Record<string, number>>
  modules?: Readonly<Record<string, readonly string[]>>
}): Build {
  return {
    chunksOf: (sources) => sources.map((source) => `assets/${source.replace(/\.\w+$/, '')}.js`),
    modulesIn: (chunk) => modules[chunk] ?? [],
    sizeOf: (file) => bytes[file] ?? 1000,
    gzippedSizeOf: (file) => bytes[file] ?? 1000,
    html: () => html,
  }
}

const problemsOf = (build: Parameters<typeof buildWith>[0]) =>
  checkBundle(buildWith(build)).problems

it('a page needs its scripts, preloads, styles, and the pictures that a phone loads at once', () => {
  expect(linkedFiles(html)).toEqual({
    scripts: ['assets/index.js', 'assets/react.js'],
    styles: ['assets/index.css', 'assets/tokens.css'],
    pictures: ['assets/a-1280.avif'],
  })
})

it('a build within the budgets has no problem', () => {
  expect(problemsOf({})).toEqual([])
})

it.each([
  ['assets/react.js', 114_500, 'the scripts of / have 115.5 kB, and their budget is 115 kB'],
  ['assets/index.css', 14_001, 'the styles of / have 15.0 kB, and their budget is 15 kB'],
  ['assets/a-1280.avif', 60_100, 'the bytes of assets/a-1280.avif on / have 60.1 kB'],
  ['assets/app/purchases-route.js', 380_000, 'the scripts of /purchases have 382.0 kB'],
  ['assets/features/admin/admin-page.js', 400_000, 'the scripts of /admin have 402.0 kB'],
])('a file %s of %i bytes is over the budget', (file, size, sentence) => {
  const problems = problemsOf({ bytes: { [file]: size } })
  expect(problems).toEqual([expect.stringContaining(sentence)])
  expect(problems[0]).toContain(file)
})

it('a heavy package in the scripts of / is named with its chunk and module', () => {
  const modules = {
    'assets/index.js': ['web/app/main.tsx', 'node_modules/zod/v4/core/api.js'],
    // Other pages may load it.
    'assets/app/purchases-route.js': ['node_modules/antd/es/button.js'],
  }
  expect(problemsOf({ modules })).toEqual([
    '/ loads zod: the chunk assets/index.js contains node_modules/zod/v4/core/api.js. Load it with import() where it is needed.',
  ])
})
