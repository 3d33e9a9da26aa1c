/** Menus are drawn here, inside the page's main part, so that readers of landmarks find them. */
export const floatingPlace = document.createElement('div')
floatingPlace.id = 'floating'
