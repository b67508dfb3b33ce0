import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { dismissToast, limitToasts, showToast, type ToastKind } from '../../web/lib/toasts.ts'
import { Dialog } from '../../web/ui/dialog.tsx'
import { ToastHost } from '../../web/ui/toast-host.tsx'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => {
  act(() => limitToasts(0))
  cleanup()
  jest.useRealTimers()
})

function show(kind: ToastKind, text: string): number {
  let id = 0
  act(() => void (id = showToast(kind, text)))
  return id
}

const wait = (ms: number) => act(() => jest.advanceTimersByTime(ms))

describe('toasts', () => {
  it('are limited to the newest one on the public pages', () => {
    render(<ToastHost limit={1} />)
    show('error', 'first')
    show('error', 'second')
    expect(screen.getByRole('alert')).toHaveTextContent('second')
    expect(screen.queryByText('first')).toBeNull()
  })

  it('are limited to 20 on the product pages', () => {
    render(<ToastHost limit={20} />)
    for (let n = 1; n <= 25; n++) show('success', `saved ${n}`)
    expect(screen.getAllByRole('status')).toHaveLength(20)
    expect(screen.queryByText('saved 5')).toBeNull()
  })

  it.each<[ToastKind, number]>([
    ['error', 4000],
    ['blank', 4000],
    ['success', 2000],
  ])('of the kind %s stay for %i ms', (kind, ms) => {
    render(<ToastHost limit={20} />)
    show(kind, 'a sentence')
    wait(ms - 1)
    expect(screen.getByText('a sentence')).toBeVisible()
    wait(1)
    expect(screen.queryByText('a sentence')).toBeNull()
  })

  it('stay until they are dismissed if they show a loading state', () => {
    render(<ToastHost limit={20} />)
    const id = show('loading', 'Refreshing data...')
    wait(60_000)
    expect(screen.getByRole('status')).toHaveTextContent('Refreshing data...')
    act(() => dismissToast(id))
    expect(screen.queryByRole('status')).toBeNull()
  })

  it('are part of the top dialog while one is open, which makes the rest of the page inert', () => {
    const showModal = jest.fn(function (this: HTMLDialogElement) {
      this.open = true
    })
    const close = jest.fn(function (this: HTMLDialogElement) {
      this.open = false
    })
    Object.assign(HTMLDialogElement.prototype, { showModal, close })
    const page = (dialogs: readonly string[]) => (
      <>
        {dialogs.map((name) => (
          <Dialog key={name} labelledBy={name} onClose={() => undefined}>
            <h2 id={name}>{name}</h2>
          </Dialog>
        ))}
        <ToastHost limit={1} />
      </>
    )
    const { rerender } = render(page([]))
    show('error', 'The card was declined.')
    expect(screen.getByText('The card was declined.').closest('dialog')).toBeNull()
    for (const open of [['first'], ['first', 'second'], ['first']]) {
      rerender(page(open))
      const dialog = screen.getByText('The card was declined.').closest('dialog')
      expect(dialog?.getAttribute('aria-labelledby')).toBe(open.at(-1))
    }
    rerender(page([]))
    expect(screen.getByText('The card was declined.').closest('dialog')).toBeNull()
  })

  it('move to the page if their dialog closes as they are shown', () => {
    Object.assign(HTMLDialogElement.prototype, { showModal: jest.fn(), close: jest.fn() })
    // As a browser does: an element outside the document cannot be shown.
    const showPopover = jest.fn(function (this: HTMLElement) {
      if (!this.isConnected) throw new DOMException('disconnected', 'InvalidStateError')
    })
    Object.assign(HTMLElement.prototype, { showPopover })
    const page = (isOpen: boolean) => (
      <>
        {isOpen && (
          <Dialog labelledBy="title" onClose={() => undefined}>
            <h2 id="title">Keep the plan?</h2>
          </Dialog>
        )}
        <ToastHost limit={20} />
      </>
    )
    const { rerender } = render(page(true))
    act(() => {
      showToast('success', 'Your plan continues.')
      rerender(page(false))
    })
    expect(screen.getByText('Your plan continues.').closest('dialog')).toBeNull()
    Reflect.deleteProperty(HTMLElement.prototype, 'showPopover')
  })

  it('stay under the pointer', () => {
    render(<ToastHost limit={1} />)
    show('success', 'saved')
    fireEvent.pointerEnter(screen.getByRole('status'))
    wait(10_000)
    expect(screen.getByText('saved')).toBeVisible()
    fireEvent.pointerLeave(screen.getByRole('status'))
    wait(2000)
    expect(screen.queryByText('saved')).toBeNull()
  })
})
