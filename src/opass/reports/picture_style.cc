#include "opass/reports/picture_style.h"

namespace opass::reports {

const std::string_view kPictureStyle = R"(
:root{--paper:#fff;--ink:#1b1f24;--soft:#57606a;--grid:#d5dae0;--back:#f2f4f7;--seam:#fff;
--own:#c6e3f6;--own-peak:#6bbdec;--inplace:#bfe8da;--inplace-peak:#57c5a2;--view:#f1dbe8;
--view-peak:#dc9dbf;--held:#e2e5e9;--held-peak:#c9ced5;--merged:#b9cbd8;--work:#e69f00;
--workback:#fdf0d2;--live:#8fb8d6;--mark:#d55e00;--inplace-edge:#00684c;--view-edge:#8d3f6d}
@media(prefers-color-scheme:dark){:root{--paper:#14181d;--ink:#e8ecf0;--soft:#a3adb8;
--grid:#333b45;--back:#1d232a;--seam:#14181d;--own:#1d4763;--own-peak:#2f7fb4;--inplace:#154a3b;
--inplace-peak:#1c8767;--view:#54304a;--view-peak:#9a4d7a;--held:#2d343c;--held-peak:#454e59;
--merged:#34495a;--work:#e69f00;--workback:#3b2f12;--live:#3f6d8f;--mark:#ff8c3a;
--inplace-edge:#5fe0b8;--view-edge:#f0a9d0}}
svg{font:10px system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}
text{fill:var(--ink);pointer-events:none}
.paper{fill:var(--paper)}.back{fill:var(--back)}
.name{font-size:19px;font-weight:600}.side{font-size:14px;font-weight:600}
.note{font-size:11.5px;fill:var(--soft)}
.h{font-size:11.5px;font-weight:600}.t{fill:var(--soft)}.end{text-anchor:end}.mid{text-anchor:middle}
.size{fill-opacity:.75}.peaktext{fill:var(--mark);font-size:11px;font-weight:600}
.grid,.tick{stroke:var(--grid);fill:none}
.b{stroke:var(--seam);stroke-width:.8}.thin{stroke:none}
.own{fill:var(--own)}.own.peak{fill:var(--own-peak)}
.inplace{fill:var(--inplace)}.inplace.peak{fill:var(--inplace-peak)}
.view{fill:var(--view);stroke:var(--view-edge);stroke-dasharray:4 2}.view.peak{fill:var(--view-peak)}
.held{fill:var(--held)}.held.peak{fill:var(--held-peak)}.work{fill:url(#hatch)}
.hatchback{fill:var(--workback)}.hatchline{stroke:var(--work);stroke-width:2.5}
.merged{fill:var(--merged)}.edge{stroke:var(--inplace-edge);stroke-width:3;fill:none}
.edge,.mark,.arena,.bound,.top,.arrow{pointer-events:none}
.live{fill:var(--live)}.c{fill:var(--ink);fill-opacity:0}.c:hover,.c.on{fill-opacity:.18}
.b:hover,.merged:hover,.b.on{stroke:var(--ink);stroke-width:2;stroke-dasharray:none}
.arena{stroke:var(--ink);stroke-width:1.5;fill:none}
.top{stroke:var(--mark);stroke-width:1.5;fill:none}
.bound{stroke:var(--ink);stroke-width:1.5;stroke-dasharray:5 3;fill:none}
.mark{fill:var(--mark);fill-opacity:.1;stroke:var(--mark)}.arrow{fill:var(--mark)}
)";

const std::string_view kPictureDefs =
    R"X(<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" )X"
    R"X(patternTransform="rotate(45)"><rect class="hatchback" width="6" height="6"/>)X"
    R"X(<path class="hatchline" d="M0 0V6"/></pattern></defs>)X"
    "\n";

const std::string_view kPageStyle = R"(
body{margin:24px auto;max-width:1500px;padding:0 20px;background:var(--paper);color:var(--ink);
font:15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;color-scheme:light dark}
h1{font-size:22px;margin:0 0 12px;overflow-wrap:anywhere}
h2{font-size:17px;margin:0;overflow-wrap:anywhere}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;margin-bottom:14px}
th,td{padding:3px 18px 3px 0;border-bottom:1px solid var(--grid);text-align:right}
th:first-child,td:first-child{text-align:left}thead th{color:var(--soft);font-weight:600}
tbody th{font-weight:400}.gain{color:var(--soft);padding-left:6px}
.legend{display:flex;flex-wrap:wrap;gap:2px 20px;font-size:13px;list-style:none;padding:0;margin:0}
.legend svg{width:22px;height:13px;margin-right:6px;vertical-align:-2px}
.sides{display:flex;flex-wrap:wrap;gap:20px}figure{flex:1 1 520px;margin:14px 0;min-width:0}
figcaption p,.how{margin:0;color:var(--soft);font-size:13px}.how{margin-top:10px}
.panel{width:100%;height:auto;display:block;margin-top:6px}
.panel:focus-visible{outline:2px solid var(--own-peak);outline-offset:3px}
#tip{position:fixed;left:0;top:0;max-width:420px;padding:6px 10px;white-space:pre-line;font-size:13px;
line-height:1.4;background:var(--ink);color:var(--paper);border-radius:5px;pointer-events:none;
overflow-wrap:anywhere}
#tip:empty{display:none}
)";

const std::string_view kPageScript = R"(
(() => {
  'use strict';
  const tip = document.getElementById('tip');
  const byName = new Map();
  let shown = [];
  const hide = () => {
    shown.forEach(e => e.classList.remove('on'));
    shown = [];
    tip.textContent = '';
  };
  const show = (e, x, y) => {
    hide();
    shown = [e, ...(byName.get(e.name) || [])];
    shown.forEach(other => other.classList.add('on'));
    tip.textContent = e.tip;
    const right = document.documentElement.clientWidth - tip.offsetWidth - 8;
    const below = y + 18 + tip.offsetHeight < window.innerHeight;
    tip.style.left = Math.max(8, Math.min(x + 14, right)) + 'px';
    tip.style.top = Math.max(8, below ? y + 18 : y - 10 - tip.offsetHeight) + 'px';
  };
  document.querySelectorAll('svg.panel').forEach(panel => {
    const items = [];
    panel.querySelectorAll('title').forEach(title => {
      const e = title.parentNode;
      e.tip = title.textContent;
      title.remove();
      items.push(e);
      if (!e.classList.contains('b')) return;
      e.name = e.tip.split('\n')[0];
      if (!byName.has(e.name)) byName.set(e.name, []);
      byName.get(e.name).push(e);
    });
    let at = -1;
    panel.addEventListener('pointermove', event => {
      if (event.target.tip) show(event.target, event.clientX, event.clientY);
      else hide();
    });
    panel.addEventListener('pointerleave', hide);
    panel.addEventListener('blur', hide);
    panel.addEventListener('keydown', event => {
      const last = items.length - 1;
      if (last < 0) return;
      if (event.key === 'Escape') return hide();
      if (event.key === 'ArrowRight' || event.key === 'ArrowDown') at = Math.min(last, at + 1);
      else if (event.key === 'ArrowLeft' || event.key === 'ArrowUp') at = Math.max(0, at - 1);
      else if (event.key === 'Home') at = 0;
      else if (event.key === 'End') at = last;
      else return;
      event.preventDefault();
      const box = items[at].getBoundingClientRect();
      show(items[at], box.left, Math.min(box.bottom, window.innerHeight - 20));
    });
  });
})();
)";

}  // namespace opass::reports
