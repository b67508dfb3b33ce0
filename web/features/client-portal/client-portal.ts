import '../../ui/tokens.css'
import '../../ui/base.css'
import '../../ui/panel.css'
import './client-portal.css'
import './pay-panel.css'
import { followBoxes } from './pay-boxes.ts'

/** How long the page is visible before it counts as opened, in milliseconds. */
const readMs = 1_000

/*
 * Reports that a person opened the page. A link scanner reads the page and runs no script, or runs
 * it in a page that no person sees.
 */
const address = document.querySelector<HTMLElement>('[data-opened]')?.dataset['opened']
if (address !== undefined) reportOnce(address)

function reportOnce(to: string): void {
  let timer: number | undefined
  let isReported = false
  const follow = (): void => {
    window.clearTimeout(timer)
    if (isReported || document.visibilityState !== 'visible') return
    timer = window.setTimeout(() => {
      isReported = true
      navigator.sendBeacon(to)
    }, readMs)
  }
  document.addEventListener('visibilitychange', follow)
  follow()
}

for (const panel of document.querySelectorAll<HTMLElement>('[data-pay]')) followBoxes(panel)

/* A page that is loaded again announces nothing again. */
if (/^\?(said|checkout)=/.test(location.search))
  history.replaceState(null, '', location.pathname + location.hash)
