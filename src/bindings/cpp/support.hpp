/* What a failure says: what, where (file, line, residue or value), and what to do about it. */
class Error : public std::runtime_error {
  public:
    explicit Error(const cardo_error &record)
        : std::runtime_error(record.message[0] ? record.message : cardo_status_text(record.code)), code_(record.code)
    {
    }
    cardo_status code() const noexcept { return code_; }

  private:
    cardo_status code_;
};

/* An error record for a call, and the exception that it becomes. */
class Check {
  public:
    operator cardo_error *() noexcept { return &record_; }
    void operator()(cardo_status status)
    {
        if (status != CARDO_OK) {
            record_.code = status;
            throw Error(record_);
        }
    }

  private:
    cardo_error record_{};
};

/* A view of so many elements that belong to somebody else: of what the library lends, until what lends it changes; of a function's argument,
 * until the function returns. (std::span came with C++20.) */
template <class T> class Span {
  public:
    Span() noexcept = default;
    Span(T *data, std::size_t size) noexcept : data_(data), size_(data ? size : 0) {}
    template <std::size_t N> Span(T (&array)[N]) noexcept : data_(array), size_(N) {}
    template <class C, class = decltype(static_cast<T *>(std::declval<C &>().data())), class = decltype(std::declval<C &>().size())>
    Span(C &&container) noexcept : data_(container.data()), size_(container.size())
    {
    }
    template <class U = T, class = std::enable_if_t<std::is_const_v<U>>>
    Span(std::initializer_list<std::remove_const_t<U>> list) noexcept : size_(list.size())
    {
        data_ = list.begin();
    }
    T *data() const noexcept { return data_; }
    std::size_t size() const noexcept { return size_; }
    bool empty() const noexcept { return size_ == 0; }
    T *begin() const noexcept { return data_; }
    T *end() const noexcept { return data_ + size_; }
    T &operator[](std::size_t k) const noexcept { return data_[k]; }

  private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};

/* An argument of which the function knows how many elements there are: an array, a container, a single element, or nothing. Its header says how
 * many it needs. */
template <class T> class Array {
  public:
    Array(std::nullptr_t) noexcept {}
    Array(T *data) noexcept : data_(data) {}
    Array(T &element) noexcept : data_(&element) {}
    template <class C, class = decltype(static_cast<T *>(std::declval<C &>().data()))> Array(C &&container) noexcept : data_(container.data()) {}
    template <class U = T, class = std::enable_if_t<std::is_const_v<U>>>
    Array(std::initializer_list<std::remove_const_t<U>> list) noexcept
    {
        data_ = list.begin();
    }
    operator T *() const noexcept { return data_; }

  private:
    T *data_ = nullptr;
};

/* A text as an argument: a literal, a std::string, or nothing. */
class Text {
  public:
    Text(std::nullptr_t) noexcept {}
    Text(const char *text) noexcept : text_(text) {}
    Text(const std::string &text) noexcept : text_(text.c_str()) {}
    operator const char *() const noexcept { return text_; }

  private:
    const char *text_ = nullptr;
};
