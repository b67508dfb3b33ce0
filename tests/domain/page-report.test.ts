import { describe, expect, it } from '@jest/globals'
import { pageReportOf, PageNotScored } from '../performance/site/page-report.ts'

const url = 'http://localhost:3000/pricing'
const audit = (title: string, numericValue: number) => ({ title, score: 1, numericValue })
const loaded = {
  runWarnings: [],
  categories: {
    performance: { score: 0.97, auditRefs: [{ id: 'largest-contentful-paint', weight: 25 }] },
  },
  audits: {
    'largest-contentful-paint': audit('Largest Contentful Paint', 1383),
    'cumulative-layout-shift': audit('Cumulative Layout Shift', 0),
  },
}
const unscored = { ...loaded, categories: { performance: { score: null, auditRefs: [] } } }

describe('the report of a loaded page', () => {
  it('has the scores in percent and the times', () => {
    expect(pageReportOf(loaded, url)).toEqual({
      scores: { performance: 97 },
      lcpMs: 1383,
      cls: 0,
      failures: [],
    })
  })

  it('names the error that ended the load', () => {
    const runtimeError = { code: 'NO_FCP', message: 'The page did not paint any content.' }
    expect(() => pageReportOf({ ...unscored, runtimeError }, url)).toThrow(
      new PageNotScored(
        `Lighthouse gave ${url} no value for performance. Its reason: NO_FCP: The page did not paint any content.`,
      ),
    )
  })

  it('names the audits that failed if the load itself did not', () => {
    const failed = {
      title: 'Largest Contentful Paint',
      score: null,
      errorMessage: 'Something went wrong with recording the trace (NO_LCP)',
    }
    const audits = { ...loaded.audits, 'largest-contentful-paint': failed }
    expect(() => pageReportOf({ ...unscored, audits }, url)).toThrow(
      'Its reason: Largest Contentful Paint: Something went wrong with recording the trace (NO_LCP)',
    )
    expect(() => pageReportOf({ ...loaded, audits }, url)).toThrow(
      'no value for largest-contentful-paint',
    )
  })

  it('says what to do if there is no reason', () => {
    expect(() => pageReportOf(unscored, url)).toThrow(
      'Run the command on a machine with less load.',
    )
  })

  it('says so if the result has another form', () => {
    expect(() => pageReportOf(undefined, url)).toThrow(PageNotScored)
    expect(() => pageReportOf(undefined, url)).toThrow(`an unknown result for ${url}`)
  })
})
