import lighthouse from 'lighthouse'
import { z } from 'zod'

const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const
export type Category = (typeof categories)[number]

/** What Lighthouse found on one page. */
export interface PageReport {
  /** 0 to 100. */
  readonly scores: Readonly<Partial<Record<Category, number>>>
  /** Largest contentful paint, simulated for the throttled phone. */
  readonly lcpMs: number
  /** Cumulative layout shift. */
  readonly cls: number
  /** The audits that lower a score, by title. */
  readonly failures: readonly string[]
}

const resultSchema = z.object({
  runtimeError: z.object({ message: z.string() }).optional(),
  categories: z.record(
    z.string(),
    z.object({
      score: z.number(),
      auditRefs: z.array(z.object({ id: z.string(), weight: z.number() })),
    }),
  ),
  audits: z.record(
    z.string(),
    z.object({
      title: z.string(),
      score: z.number().nullable(),
      numericValue: z.number().optional(),
      displayValue: z.string().optional(),
    }),
  ),
})

/**
 * Loads a page in a new profile of the browser at this debugging port, with Lighthouse's default
 * profile: a phone with a simulated slow 4G network and a processor that is 4 times slower.
 * @param only the categories to score; without `performance`, the times are missing
 * @throws Error if Lighthouse cannot load the page
 */
export async function runLighthouse(
  url: string,
  port: number,
  only: readonly Category[] = categories,
): Promise<PageReport> {
  const run = await lighthouse(url, {
    port,
    logLevel: 'silent',
    output: 'json',
    onlyCategories: [...only],
    disableFullPageScreenshot: true,
  })
  const result = resultSchema.parse(run?.lhr)
  if (result.runtimeError) throw new Error(`Lighthouse on ${url}: ${result.runtimeError.message}`)
  const { audits } = result
  const metric = (id: string) => {
    const value = audits[id]?.numericValue
    if (value === undefined) throw new Error(`Lighthouse measured no ${id} on ${url}.`)
    return value
  }
  const scored = Object.entries(result.categories)
  return {
    scores: Object.fromEntries(scored.map(([id, { score }]) => [id, Math.round(score * 100)])),
    lcpMs: metric('largest-contentful-paint'),
    cls: metric('cumulative-layout-shift'),
    failures: scored
      .flatMap(([, { auditRefs }]) => auditRefs.filter(({ weight }) => weight > 0))
      .flatMap(({ id }) => audits[id] ?? [])
      .filter(({ score }) => score !== null && score < 0.9)
      .map(({ title, displayValue }) => [title, displayValue].filter(Boolean).join(': ')),
  }
}
