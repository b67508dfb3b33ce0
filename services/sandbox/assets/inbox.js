// Looks for new messages and shows them without a reload; lets the mail's frame be as high as the mail.

const everyMs = 2000

function fitFrame() {
  const frame = document.querySelector('iframe')
  if (!frame) return
  const fit = () => {
    const mail = frame.contentDocument
    // Until it has come, the frame holds an empty page of the browser's own.
    if (!mail || mail.readyState !== 'complete' || mail.URL === 'about:blank') return
    // A page is never less high than its frame: so the frame is closed to measure it.
    frame.height = '0'
    frame.height = String(mail.documentElement.scrollHeight)
  }
  frame.addEventListener('load', fit)
  fit()
}

async function look() {
  try {
    const response = await fetch(location.href)
    if (response.ok) show(new DOMParser().parseFromString(await response.text(), 'text/html'))
  } catch {
    // The sandbox is being restarted: what is shown stays, and the next look finds it again.
  }
  setTimeout(() => void look(), everyMs)
}

/** @param {Document} fresh the same page, as it is now */
function show(fresh) {
  const list = document.getElementById('messages')
  const freshList = fresh.getElementById('messages')
  if (!list || !freshList || list.dataset.newest === freshList.dataset.newest) return
  const { scrollTop } = list
  list.replaceWith(freshList)
  freshList.scrollTop = scrollTop
  const mail = document.getElementById('mail')
  const freshMail = fresh.getElementById('mail')
  // A message that somebody chose to read stays open.
  if (mail?.dataset.chosen === 'true' || !mail || !freshMail) return
  mail.replaceWith(freshMail)
  fitFrame()
}

fitFrame()
setTimeout(() => void look(), everyMs)
