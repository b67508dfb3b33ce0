import { createContext, useCallback, useContext, useState, type ReactNode } from 'react'

/** Makes the dialog. `close` removes it. */
type MakeDialog = (close: () => void) => ReactNode

const ShowContext = createContext<((make: MakeDialog) => void) | null>(null)

/**
 * Shows the dialogs that parts of a page open. A dialog inside such a part would vanish with what a
 * person has entered: a row leaves the page of its list when the list changes, a list that fails to
 * load has no rows, and a changed role hides what it does not allow.
 */
export function PageDialogs({ children }: { readonly children: ReactNode }) {
  const [make, setMake] = useState<MakeDialog | null>(null)
  const show = useCallback((next: MakeDialog) => setMake(() => next), [])
  return (
    <ShowContext value={show}>
      {children}
      {make?.(() => setMake(null))}
    </ShowContext>
  )
}

/** Opens a dialog of the page. The dialog keeps the values of the moment at which it opened. */
export function usePageDialog(): (make: MakeDialog) => void {
  const show = useContext(ShowContext)
  if (show === null) throw new Error('A dialog is opened outside of PageDialogs. This is a bug.')
  return show
}
