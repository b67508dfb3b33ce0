import { createContext, useContext, type ReactNode } from 'react'
import './kept-page.css'

/** Whether the content is kept in memory only: its session has ended. */
const HiddenContext = createContext(false)

/**
 * Keeps the content of a page whose session has ended, hidden and with all that was typed, until
 * the same person signs in again. Its queries stay subscribed, so that no form of a loaded record
 * is removed. `Dialog` leaves the window meanwhile: an open dialog would make the login inert.
 */
export function KeptPage({ hidden, children }: { hidden: boolean; children: ReactNode }) {
  return (
    <HiddenContext value={hidden}>
      <div className="kept-page" hidden={hidden}>
        {children}
      </div>
    </HiddenContext>
  )
}

export function useIsHidden(): boolean {
  return useContext(HiddenContext)
}
