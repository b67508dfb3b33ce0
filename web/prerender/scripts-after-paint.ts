import { hydrationEvent } from '../lib/hydration-event.ts'

const moduleElements = /\s*<(?:script type="module"[^>]*><\/script|link rel="modulepreload"[^>]*)>/g

/**
 * Moves the scripts of a page into a template, and adds a script that starts them after the first
 * paint: the page is complete without them, and on a slow network they would delay its font. Until
 * the app takes over, the script keeps the last click on a button, which the app then receives.
 * The security policy allows the script by its hash.
 */
export function scriptsAfterPaint(html: string): string {
  const elements = html.match(moduleElements) ?? []
  return html
    .replaceAll(moduleElements, '')
    .replace('</head>', () => `  ${loader}\n  </head>`)
    .replace('</body>', () => `  ${templateOf(elements)}\n  </body>`)
}

const templateOf = (elements: readonly string[]) =>
  `<template id="page-scripts">${elements.map((element) => element.trim()).join('')}</template>`

const latestMs = 2_000

/**
 * The browser reports a paint when the screen has it. A callback of an animation frame runs before:
 * the scripts then often arrived before the first paint, and delayed it. A hidden tab does not
 * paint, so it loads the scripts at once, and a browser that reports no paint after `latestMs`.
 * After a reload the address has no section until then: otherwise Chromium would scroll to the
 * section instead of the position that the visitor had.
 */
const loader = `<script>
      {
        let clicked = null
        const keep = (event) => {
          const button = event.target.closest('button')
          if (button === null) return
          event.preventDefault()
          clicked = button
        }
        addEventListener('click', keep, true)
        addEventListener('${hydrationEvent}', () => {
          removeEventListener('click', keep, true)
          if (clicked !== null) clicked.click()
        }, { once: true })
        const { hash, pathname, search } = location
        const isReload = performance.getEntriesByType('navigation')[0]?.type === 'reload'
        if (isReload && hash !== '') history.replaceState(history.state, '', pathname + search)
        let isLoaded = false
        const load = () => {
          if (isLoaded) return
          isLoaded = true
          if (isReload && hash !== '') history.replaceState(history.state, '', hash)
          document.head.append(document.importNode(document.getElementById('page-scripts').content, true))
        }
        addEventListener('DOMContentLoaded', () => {
          if (document.hidden) return load()
          setTimeout(load, ${latestMs})
          new PerformanceObserver((paints) => {
            if (paints.getEntriesByName('first-contentful-paint').length > 0) load()
          }).observe({ type: 'paint', buffered: true })
        })
      }
    </script>`
