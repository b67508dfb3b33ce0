let isActive = true

for (const type of ['pointerdown', 'keydown', 'wheel', 'touchmove'])
  window.addEventListener(type, () => (isActive = true), { capture: true, passive: true })

/** Whether a person has used this page since the last call. True at the first call. */
export function takeActivity(): boolean {
  const was = isActive
  isActive = false
  return was
}
