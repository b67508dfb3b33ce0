/**
 * In place of @rc-component/util's `getScrollBarSize`, which measures by adding a style element: the
 * page's policy refuses those, and says so in the console. This measures an element alone, which is
 * right for every scroll bar that no style sheet has given a width of its own.
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
