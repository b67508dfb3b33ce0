import lighthouse from 'lighthouse'
import { errorMessage } from '#services/foundation/error-message'
import { categories, pageReportOf, PageNotScored, type Category } from './page-report.ts'

/**
 * Loads a page in a new profile of the browser at this debugging port, with Lighthouse's default
 * profile: a phone with a simulated slow 4G network and a processor that is 4 times slower. If
 * Lighthouse gives no score, prints its reason and loads the page again, once.
 * @param only the categories to score; without `performance`, the times are missing
 * @throws PageNotScored if Lighthouse scores neither load
 */
export async function runLighthouse(
  url: string,
  port: number,
  only: readonly Category[] = categories,
) {
  try {
    return await load(url, port, only)
  } catch (error) {
    if (!(error instanceof PageNotScored)) throw error
    process.stderr.write(`${error.message} The page is loaded again.\n`)
    return load(url, port, only)
  }
}

async function load(url: string, port: number, only: readonly Category[]) {
  const run = await lighthouse(url, {
    port,
    logLevel: 'silent',
    output: 'json',
    onlyCategories: [...only],
    disableFullPageScreenshot: true,
  }).catch((error: unknown) => {
    throw new PageNotScored(`Lighthouse stopped at ${url}. Its reason: ${errorMessage(error)}.`)
  })
  return pageReportOf(run?.lhr, url)
}
