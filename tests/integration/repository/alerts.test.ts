import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { parser } from '@prometheus-io/lezer-promql'
import express from 'express'
import { parse } from 'yaml'
import { z } from 'zod'
import { listen } from '#services/http/listen'
import { createMetrics } from '#services/http/metrics/metrics'

const rulesFile = z.strictObject({
  groups: z.tuple([
    z.strictObject({
      name: z.string(),
      rules: z
        .array(
          z.strictObject({
            alert: z.string().regex(/^[A-Z][A-Za-z]+$/),
            expr: z.string(),
            for: z
              .string()
              .regex(/^\d+[smhd]$/)
              .optional(),
            labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
            annotations: z.strictObject({ summary: z.string().regex(/\.$/) }),
          }),
        )
        .min(1),
    }),
  ]),
})

/** What Prometheus itself records about a target. */
const metricsOfPrometheus = new Set(['up'])

const { rules } = rulesFile.parse(parse(await readFile('scripts/compose/alerts.yml', 'utf8')))
  .groups[0]
const page = await readFile('docs/alarms.md', 'utf8')

describe('the alert rules', () => {
  let known: ReadonlySet<string>
  beforeAll(async () => {
    known = await productMetrics()
  })

  it.each(rules)('$alert is a correct expression over metrics of the product', (rule) => {
    const { metrics, hasError } = readExpression(rule.expr)
    expect(hasError).toBe(false)
    expect(metrics.length).toBeGreaterThan(0)
    expect(metrics.filter((name) => !known.has(name) && !metricsOfPrometheus.has(name))).toEqual([])
  })

  it.each(rules)('$alert has a row and a page with meaning and action', ({ alert, labels }) => {
    expect(page).toContain(`| [${alert}](#${alert.toLowerCase()}) | ${labels.severity} |`)
    const [, section = ''] = page.split(`\n## ${alert}\n`)
    const [text = ''] = section.split('\n## ')
    const isOnOtherPage = /^\s+See \[[^\]]+\]\(operations\.md#[a-z-]+\)\.\s+$/.test(text)
    const parts = ['**What it means.**', '**What to look at.**', '**What to do.**']
    expect(isOnOtherPage || parts.every((part) => text.includes(part))).toBe(true)
  })

  it('a page has a rule', () => {
    const pages = [...page.matchAll(/^## (\w+)$/gm)].map(([, name]) => name)
    expect(pages).toEqual(rules.map(({ alert }) => alert))
  })
})

function readExpression(expression: string): { metrics: readonly string[]; hasError: boolean } {
  const metrics: string[] = []
  let hasError = false
  parser.parse(expression).iterate({
    enter(node) {
      if (node.type.isError) hasError = true
      if (node.name === 'Identifier' && node.node.parent?.name === 'VectorSelector')
        metrics.push(expression.slice(node.from, node.to))
    },
  })
  return { metrics, hasError }
}

/** The names of the series that `/metrics` can have. */
async function productMetrics(): Promise<ReadonlySet<string>> {
  const { routes } = createMetrics({
    overview: () => Promise.resolve({ projections: [], skipped: [], parked: [] }),
    isReady: () => Promise.resolve(true),
    isWritable: () => Promise.resolve(true),
    reconciler: () => Promise.resolve(null),
    outbox: () => Promise.resolve([]),
    controls: () => Promise.resolve({ firings: [], parkedCustomers: 0 }),
    integrity: () => Promise.resolve({ works: [], uncleaned: { count: 0, ageSeconds: 0 } }),
    log: { warn: () => undefined },
  })
  const server = await listen(0, '127.0.0.1')
  await server.serve(express().use(routes))
  const text = await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text()
  await server.close(0)
  return new Set(
    [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    ),
  )
}
