// The list of tables: links to the seats that were taken in this browser.
import { keptSeats, make, tableAddress } from "./kontor.js";

const kept = keptSeats();
for (const cell of document.querySelectorAll("[data-table]")) {
  for (const [seat, key] of Object.entries(kept[cell.dataset.table] ?? {})) {
    cell.append(" ", make("a", { href: tableAddress(cell.dataset.table, key) }, `seat ${seat}`));
  }
}
