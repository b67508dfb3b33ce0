/**
 * Replaces `getScrollBarSize` of @rc-component/util. The original measures with a style element,
 * which the page's policy refuses with a console error. This function measures an element without
 * styles; the result is right for every scroll bar whose width no style sheet changes.
 */
export default function getScrollBarSize(): number {
  return measure().width
}

export function getTargetScrollBarSize(target: unknown): { width: number; height: number } {
  return target instanceof Element ? measure() : { width: 0, height: 0 }
}

function measure(): { width: number; height: number } {
  const probe = document.createElement('div')
  Object.assign(probe.style, {
    position: 'absolute',
    width: '100px',
    height: '100px',
    overflow: 'scroll',
    visibility: 'hidden',
  })
  document.body.append(probe)
  const size = {
    width: probe.offsetWidth - probe.clientWidth,
    height: probe.offsetHeight - probe.clientHeight,
  }
  probe.remove()
  return size
}
