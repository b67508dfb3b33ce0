import { z } from 'zod'

export const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const
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

/** Lighthouse did not score a page. The message has its reason. */
export class PageNotScored extends Error {
  override readonly name = 'PageNotScored'
}

const resultSchema = z.object({
  runtimeError: z.object({ code: z.string(), message: z.string() }).optional(),
  runWarnings: z.array(z.string()).default([]),
  categories: z.record(
    z.string(),
    z.object({
      /** Null if one of its audits has no score. */
      score: z.number().nullable(),
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
      /** Why the audit has no score. */
      errorMessage: z.string().optional(),
    }),
  ),
})
type Result = z.infer<typeof resultSchema>

/**
 * Reads Lighthouse's result of the page at `url`.
 * @throws PageNotScored with Lighthouse's reason
 */
export function pageReportOf(lighthouseResult: unknown, url: string): PageReport {
  const parsed = resultSchema.safeParse(lighthouseResult)
  if (!parsed.success)
    throw new PageNotScored(
      `Lighthouse returned an unknown result for ${url}: ${z.prettifyError(parsed.error)} The benchmark reads the results of Lighthouse 12.`,
    )
  const { audits } = parsed.data
  const scored = Object.entries(parsed.data.categories)
  const scores = scored.map(([id, { score }]) => {
    if (score === null || parsed.data.runtimeError) throw notScored(parsed.data, id, url)
    return [id, Math.round(score * 100)] as const
  })
  const metric = (id: string) => {
    const value = audits[id]?.numericValue
    if (value === undefined) throw notScored(parsed.data, id, url)
    return value
  }
  return {
    scores: Object.fromEntries(scores),
    lcpMs: metric('largest-contentful-paint'),
    cls: metric('cumulative-layout-shift'),
    failures: scored
      .flatMap(([, { auditRefs }]) => auditRefs.filter(({ weight }) => weight > 0))
      .flatMap(({ id }) => audits[id] ?? [])
      .filter(({ score }) => score !== null && score < 0.9)
      .map(({ title, displayValue }) => [title, displayValue].filter(Boolean).join(': ')),
  }
}

/** @param what the category or the audit that has no value */
function notScored(
  { runtimeError, runWarnings, audits }: Result,
  what: string,
  url: string,
): PageNotScored {
  const failed = Object.values(audits).flatMap(({ title, errorMessage }) =>
    errorMessage === undefined ? [] : [`${title}: ${errorMessage}`],
  )
  const reasons = runtimeError
    ? [`${runtimeError.code}: ${runtimeError.message}`]
    : [...new Set([...failed, ...runWarnings])]
  return new PageNotScored(
    `Lighthouse gave ${url} no value for ${what}. ${
      reasons.length === 0
        ? 'It gave no reason. Run the command on a machine with less load.'
        : `Its reason: ${reasons.join('; ')}`
    }`,
  )
}
