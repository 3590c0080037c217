"""The page: questions, address, language, sections. The only part that knows Streamlit and Altair."""
