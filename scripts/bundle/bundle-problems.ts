import { linkedFiles } from './linked-files.ts'
import type { Build } from './read-build.ts'

/** Kilobytes of 1000 bytes. Scripts and styles are measured with gzip. */
const budgets = {
  landing: { scripts: 115, styles: 15, picture: 60 },
  purchases: { scripts: 380 },
  receivables: { scripts: 380 },
  admin: { scripts: 400 },
} as const

/** Packages that only signed-in pages and dialogs may load. */
const heavyPackages = ['antd', 'zod', '@reduxjs/toolkit', 'react-redux', 'dayjs']

const sources = {
  entry: 'index.html',
  purchases: ['index.html', 'app/product-layout.tsx', 'app/purchases-route.tsx'],
  receivables: [
    'index.html',
    'app/receivables-layout.tsx',
    'features/receivables/overview/overview-page.tsx',
    'features/receivables/invoices/invoices-page.tsx',
    'features/receivables/invoice/invoice-page.tsx',
    'features/receivables/clients/clients-page.tsx',
    'features/receivables/client/client-page.tsx',
    'features/receivables/import/page/import-page.tsx',
    'features/receivables/payments/payments-page.tsx',
  ],
  admin: ['index.html', 'app/admin-layout.tsx', 'features/admin/admin-page.tsx'],
} as const

export interface BundleReport {
  /** One line per budget: what is measured, its size and its budget. */
  readonly lines: readonly string[]
  /** One sentence per violation. */
  readonly problems: readonly string[]
}

/** Measures the built pages against their budgets. */
export function checkBundle(build: Build): BundleReport {
  const lines: string[] = []
  const problems: string[] = []
  const measure = (what: string, bytes: number, budget: number, files: readonly string[]) => {
    lines.push(`${what}: ${kilobytes(bytes)} of ${budget} kB`)
    if (bytes > budget * 1000)
      problems.push(
        `${what} have ${kilobytes(bytes)}, and their budget is ${budget} kB: ${largest(build, files)}.`,
      )
  }

  const linked = linkedFiles(build.html('index.html'))
  const landing = [...new Set([...build.chunksOf([sources.entry]), ...linked.scripts])]
  const { landing: ofLanding, purchases, receivables, admin } = budgets
  measure('the scripts of /', gzipped(build, landing), ofLanding.scripts, landing)
  measure('the styles of /', gzipped(build, linked.styles), ofLanding.styles, linked.styles)
  for (const picture of linked.pictures)
    measure(`the bytes of ${picture} on /`, build.sizeOf(picture), ofLanding.picture, [picture])
  for (const [path, { scripts }, needed] of [
    ['/purchases', purchases, build.chunksOf(sources.purchases)],
    ['/receivables', receivables, build.chunksOf(sources.receivables)],
    ['/admin', admin, build.chunksOf(sources.admin)],
  ] as const)
    measure(`the scripts of ${path}`, gzipped(build, needed), scripts, needed)

  return { lines, problems: [...problems, ...landing.flatMap((chunk) => heavyIn(build, chunk))] }
}

function heavyIn(build: Build, chunk: string): string[] {
  return heavyPackages.flatMap((name) => {
    const module = build.modulesIn(chunk).find((path) => path.includes(`node_modules/${name}/`))
    return module === undefined
      ? []
      : `/ loads ${name}: the chunk ${chunk} contains ${module}. Load it with import() where it is needed.`
  })
}

const gzipped = (build: Build, files: readonly string[]) =>
  files.reduce((sum, file) => sum + build.gzippedSizeOf(file), 0)

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`

function largest(build: Build, files: readonly string[]): string {
  return files
    .map((file) => ({ file, bytes: build.gzippedSizeOf(file) }))
    .sort((a, b) => b.bytes - a.bytes)
    .slice(0, 3)
    .map(({ file, bytes }) => `${file} has ${kilobytes(bytes)}`)
    .join(', ')
}
