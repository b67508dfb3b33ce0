// Polls for new messages and shows them without a reload. Sets the frame's height to the mail's height.

const everyMs = 2000

function fitFrame() {
  const frame = document.querySelector('iframe')
  if (!frame) return
  const fit = () => {
    const mail = frame.contentDocument
    // Until the mail has loaded, the frame holds the browser's empty page.
    if (!mail || mail.readyState !== 'complete' || mail.URL === 'about:blank') return
    // A document is at least as high as its frame, so the frame gets height 0 before the measurement.
    frame.height = '0'
    frame.height = String(mail.documentElement.scrollHeight)
  }
  frame.addEventListener('load', fit)
  fit()
}

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
  fitFrame()
}

fitFrame()
setTimeout(() => void poll(), everyMs)
