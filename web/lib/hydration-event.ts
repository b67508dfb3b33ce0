/**
 * The window receives this event when the app takes over the HTML of the build. The script of
 * web/prerender/scripts-after-paint.ts then repeats the click that the page kept.
 */
export const hydrationEvent = 'app-hydrates'
