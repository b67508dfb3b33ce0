import { fitFrames } from './fit-frames.js'

/** The arrow keys open the previous and the next sample. */
const relations = new Map([
  ['ArrowLeft', 'prev'],
  ['ArrowRight', 'next'],
])

document.addEventListener('keydown', (event) => {
  const relation = relations.get(event.key)
  if (relation === undefined || event.altKey || event.ctrlKey || event.metaKey) return
  const link = document.querySelector(`a[rel=${relation}]`)
  if (link instanceof HTMLAnchorElement) link.click()
})

const current = document.querySelector('.inbox-list li a[aria-current=true]')
current?.scrollIntoView({ block: 'nearest' })
fitFrames()
