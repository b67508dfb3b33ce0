/** Replaces style sheets, pictures and fonts in jsdom, which has no layout. */
export default ''
