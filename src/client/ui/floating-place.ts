/** Where menus are drawn: the frame puts it into the page's main part, where readers of landmarks look for what a menu offers. */
export const floatingPlace = document.createElement('div')
floatingPlace.id = 'floating'
