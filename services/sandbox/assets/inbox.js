import { fitFrames } from './fit-frames.js'

// Polls for new messages and shows them without a reload.

const everyMs = 2000

async function poll() {
  try {
    const response = await fetch(location.href)
    if (response.ok) show(new DOMParser().parseFromString(await response.text(), 'text/html'))
  } catch {
    // The sandbox is restarting. The page stays unchanged until the next poll.
  }
  setTimeout(() => void poll(), everyMs)
}

/** @param {Document} fresh the current version of this page */
function show(fresh) {
  const list = document.getElementById('messages')
  const freshList = fresh.getElementById('messages')
  if (!list || !freshList || list.dataset.newest === freshList.dataset.newest) return
  const { scrollTop } = list
  list.replaceWith(freshList)
  freshList.scrollTop = scrollTop
  const mail = document.getElementById('mail')
  const freshMail = fresh.getElementById('mail')
  // A message that the reader opened stays open.
  if (mail?.dataset.chosen === 'true' || !mail || !freshMail) return
  mail.replaceWith(freshMail)
  fitFrames()
}

fitFrames()
setTimeout(() => void poll(), everyMs)
