/** Stands for a style sheet, a picture or a font in jsdom, which lays nothing out. */
export default ''
