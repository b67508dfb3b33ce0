import type { UserEvent } from '@testing-library/user-event'

/**
 * Enters a long text in one step, as a browser fills in an address. Each typed character is five
 * events and a render of the page.
 */
export async function fillIn(user: UserEvent, field: HTMLElement, text: string): Promise<void> {
  await user.click(field)
  await user.paste(text)
}

/** Enters a text and presses Enter. */
export async function enter(user: UserEvent, field: HTMLElement, text: string): Promise<void> {
  await fillIn(user, field, text)
  await user.keyboard('{Enter}')
}
