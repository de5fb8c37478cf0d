"""Sphinx's settings. Pages are gathered by generate.py in a folder of the build, from which this file is read too."""
import pathlib

project = "Cardo"
author = "The Cardo authors"
copyright = "2026, The Cardo authors"
version = release = pathlib.Path("version.txt").read_text(encoding="utf-8").strip()
extensions = ["myst_parser", "breathe"]
myst_enable_extensions = ["dollarmath", "colon_fence", "deflist"]
myst_heading_anchors = 4
source_suffix = {".md": "markdown"}
root_doc = "index"
exclude_patterns = ["doxygen"]
breathe_projects = {"cardo": "doxygen/xml"}
breathe_default_project = "cardo"
breathe_domain_by_extension = {"h": "c"}
breathe_show_include = False
c_id_attributes = ["CARDO_API"]
# A function's own attribute, which takes an argument.
c_paren_attributes = ["CARDO_LIKE_PRINTF"]
# READMEs show files of formats that no lexer knows.
suppress_warnings = ["misc.highlighting_failure"]
highlight_language = "none"
html_theme = "sphinx_rtd_theme"
html_theme_options = {"navigation_depth": 3, "collapse_navigation": True}
html_title = f"Cardo {release}"
html_show_sourcelink = False
html_static_path = ["static"]
html_css_files = ["cardo.css"]
# Equations by MathJax would want a network; they are drawn when the site is built, by matplotlib's own layout of TeX.
html_math_renderer = "drawn"


def drawn(formula, size):
    """A formula as a picture within the page, and how far it reaches below the line, both in em."""
    import base64
    import io

    import matplotlib

    matplotlib.use("svg")
    from matplotlib.figure import Figure
    from matplotlib.font_manager import FontProperties
    from matplotlib.mathtext import MathTextParser

    matplotlib.rcParams["mathtext.fontset"] = "dejavuserif"
    text = f"${' '.join(formula.split())}$"
    width, height, depth, _, _ = MathTextParser("path").parse(text, dpi=72, prop=FontProperties(size=size))
    figure = Figure(figsize=(width / 72, height / 72))
    figure.text(0, depth / height, text, fontsize=size)
    out = io.BytesIO()
    figure.savefig(out, format="svg", transparent=True, metadata={"Date": None})
    picture = base64.b64encode(out.getvalue()).decode()
    return picture, height / size, depth / size


def setup(app):
    import html

    from docutils import nodes

    def draw(translator, node):
        block = isinstance(node, nodes.math_block)
        picture, height, depth = drawn(node.astext(), 12)
        image = (f'<img class="equation" alt="{html.escape(node.astext())}" src="data:image/svg+xml;base64,{picture}" '
                 f'style="height: {height:.3f}em; vertical-align: {-depth:.3f}em"/>')
        translator.body.append(f'<div class="equation">{image}</div>' if block else image)
        raise nodes.SkipNode

    app.add_html_math_renderer("drawn", inline_renderers=(draw, None), block_renderers=(draw, None))
